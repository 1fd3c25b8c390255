package io.penstock.kernel.c;

/** What every kernel's source begins with: the types of arguments, and Java's operations where C's differ. */
final class Prelude {
    /**
     * Strides count elements; extents and strides stand innermost first. {@code flat} is how many elements one index reaches,
     * {@code offset} where the view begins in its allocation, in bytes.
     */
    private static final String TYPES = """
            typedef struct {
                i64 offset; i64 extent[3]; i64 stride[3]; i64 length; i64 flat; i64 flatStride; i64 dimensions;
            } Shape64;
            typedef struct {
                i64 offset; i32 extent[3]; i32 stride[3]; i32 length; i32 flat; i32 flatStride; i32 dimensions;
            } Shape32;
            typedef struct { i64 x, y, z; i64 groupX, groupY, groupZ; i64 groupsX, groupsY, groupsZ; } Sizes;
            typedef struct { i32 taken; i32 launch; i32 site; i32 unused; i64 x, y, z; i64 index[3]; } Failure;

            INLINE void fail(GLOBAL Failure *failure, i32 launch, i32 site, i64 x, i64 y, i64 z, i64 i, i64 j, i64 k) {
                if (CAS(&failure->taken, 0, 1) != 0) return;
                failure->launch = launch; failure->site = site;
                failure->x = x; failure->y = y; failure->z = z;
                failure->index[0] = i; failure->index[1] = j; failure->index[2] = k;
            }

            """;

    private static final String FUNCTIONS = """
            INLINE u32 room32(u32 extent, u32 distance) { return extent > distance ? extent - distance : 0; }
            INLINE u64 room64(u64 extent, u64 distance) { return extent > distance ? extent - distance : 0; }
            INLINE u32 lesser32(u32 a, u32 b) { return a < b ? a : b; }
            INLINE u64 lesser64(u64 a, u64 b) { return a < b ? a : b; }
            // Written so that ptxas does not see its own abs, whose result it takes for 0 or more: not so of the least number.
            INLINE i32 abs32(i32 a) { return a >= 0 ? a : a == -2147483647 - 1 ? a : -a; }
            INLINE i64 abs64(i64 a) { return a >= 0 ? a : a == -(i64) 0x7fffffffffffffff - 1 ? a : -a; }
            INLINE i32 div32(i32 a, i32 b) { return b == -1 ? (i32) (0u - (u32) a) : a / b; }
            INLINE i64 div64(i64 a, i64 b) { return b == -1 ? (i64) ((u64) 0 - (u64) a) : a / b; }
            INLINE i32 rem32(i32 a, i32 b) { return b == -1 ? 0 : a % b; }
            INLINE i64 rem64(i64 a, i64 b) { return b == -1 ? 0 : a % b; }
            INLINE i32 toInt(double v) {
                return v != v ? 0 : v >= 2147483648.0 ? 2147483647 : v <= -2147483648.0 ? -2147483647 - 1 : (i32) v;
            }
            INLINE i64 toLong(double v) {
                return v != v ? 0
                    : v >= 9223372036854775808.0 ? (i64) 0x7fffffffffffffff
                    : v <= -9223372036854775808.0 ? -(i64) 0x7fffffffffffffff - 1 : (i64) v;
            }
            INLINE float minF(float a, float b) {
                return a != a ? a : b != b ? b : a < b ? a : b < a ? b : BITS2F(F2BITS(a) | F2BITS(b));
            }
            INLINE float maxF(float a, float b) {
                return a != a ? a : b != b ? b : a > b ? a : b > a ? b : BITS2F(F2BITS(a) & F2BITS(b));
            }
            INLINE double minD(double a, double b) {
                return a != a ? a : b != b ? b : a < b ? a : b < a ? b : BITS2D(D2BITS(a) | D2BITS(b));
            }
            INLINE double maxD(double a, double b) {
                return a != a ? a : b != b ? b : a > b ? a : b > a ? b : BITS2D(D2BITS(a) & D2BITS(b));
            }

            """;

    /** Atomic changes that no device has; each gives what the number was. */
    private static final String ATOMICS = """
            CHANGE(GLOBAL, minGlobalF, float, i32, F2BITS, BITS2F, compare32, minF(was, v))
            CHANGE(GLOBAL, maxGlobalF, float, i32, F2BITS, BITS2F, compare32, maxF(was, v))
            CHANGE(GLOBAL, minGlobalD, double, i64, D2BITS, BITS2D, compare64, minD(was, v))
            CHANGE(GLOBAL, maxGlobalD, double, i64, D2BITS, BITS2D, compare64, maxD(was, v))
            CHANGE(LOCAL, minLocalF, float, i32, F2BITS, BITS2F, compare32, minF(was, v))
            CHANGE(LOCAL, maxLocalF, float, i32, F2BITS, BITS2F, compare32, maxF(was, v))
            CHANGE(LOCAL, minLocalD, double, i64, D2BITS, BITS2D, compare64, minD(was, v))
            CHANGE(LOCAL, maxLocalD, double, i64, D2BITS, BITS2D, compare64, maxD(was, v))
            """;

    private static final String CHANGE = """
            #define CHANGE(SPACE, name, type, bits, toBits, ofBits, compare, sum) \\
            INLINE type name(SPACE type *p, type v) { \\
                bits old = *(volatile SPACE bits *) p; \\
                while (1) { \\
                    type was = ofBits(old); \\
                    bits now = compare((SPACE bits *) p, old, toBits(sum)); \\
                    if (now == old) return was; \\
                    old = now; \\
                } \\
            }
            """;

    private Prelude() {}

    /**
     * The definitions that programs of a dialect begin with.
     *
     * @param fast whether products may be contracted with sums
     */
    static String of(Dialect dialect, boolean atomics, boolean fast) {
        String first = fast ? dialect.prelude().replace("FP_CONTRACT OFF", "FP_CONTRACT ON") : dialect.prelude();
        String all = first + TYPES + FUNCTIONS;
        return atomics ? all + CHANGE + dialect.atomics() + ATOMICS : all;
    }
}
