package io.penstock.runtime.cuda;

import static io.penstock.foreign.CudaValues.CU_MEM_ADVISE_SET_ACCESSED_BY;
import static io.penstock.foreign.CudaValues.CU_MEM_ADVISE_SET_PREFERRED_LOCATION;
import static io.penstock.foreign.CudaValues.CU_MEM_ADVISE_SET_READ_MOSTLY;
import static io.penstock.foreign.CudaValues.CU_MEM_ADVISE_UNSET_ACCESSED_BY;
import static io.penstock.foreign.CudaValues.CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION;
import static io.penstock.foreign.CudaValues.CU_MEM_ADVISE_UNSET_READ_MOSTLY;

/** What a program knows of how unified memory will be used. It changes where pages lie, never what they hold. */
public enum Advice {
    /** Hardly ever written: each device that reads may have a copy. */
    READ_MOSTLY(CU_MEM_ADVISE_SET_READ_MOSTLY),
    /** No longer so. */
    NOT_READ_MOSTLY(CU_MEM_ADVISE_UNSET_READ_MOSTLY),
    /** Best kept on the device, also when others use it. */
    PREFERRED_HERE(CU_MEM_ADVISE_SET_PREFERRED_LOCATION),
    /** Best kept nowhere in particular. */
    PREFERRED_NOWHERE(CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION),
    /** Used by the device, which shall reach it wherever it lies. */
    ACCESSED_HERE(CU_MEM_ADVISE_SET_ACCESSED_BY),
    /** No longer so. */
    NOT_ACCESSED_HERE(CU_MEM_ADVISE_UNSET_ACCESSED_BY);

    private final int code;

    Advice(int code) {
        this.code = code;
    }

    int code() {
        return code;
    }
}
