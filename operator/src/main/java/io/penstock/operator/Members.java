package io.penstock.operator;

import io.penstock.array.ArraySpace;
import io.penstock.array.DType;
import io.penstock.array.NDArray;
import java.util.ArrayList;
import java.util.List;

/** Local operators that share one flat array, each taking the elements after those of the one before. */
final class Members {
    private final List<LinearOperator<NDArray, NDArray>> operators;
    private final DType domainType;
    private final DType rangeType;

    private Members(List<LinearOperator<NDArray, NDArray>> operators, DType domainType, DType rangeType) {
        this.operators = operators;
        this.domainType = domainType;
        this.rangeType = rangeType;
    }

    /** Members of the types that the given operators have together: where any is complex, all are made so. */
    static Members of(List<? extends LinearOperator<NDArray, NDArray>> given) {
        if (given.isEmpty()) throw new IllegalArgumentException("operators is empty; expected one operator or more");
        boolean domain = false;
        boolean range = false;
        for (LinearOperator<NDArray, NDArray> operator : given) {
            domain |= Operands.isComplex(operator.domain());
            range |= Operands.isComplex(operator.range());
        }
        LinearOperator<NDArray, NDArray> first = given.getFirst();
        DType domainType = first.domain().dtype();
        DType rangeType = first.range().dtype();
        return of(given, domain ? domainType.complex() : domainType, range ? rangeType.complex() : rangeType);
    }

    /** Members of the given types; real operators are extended to complex ones where these are complex. */
    static Members of(List<? extends LinearOperator<NDArray, NDArray>> given, DType domainType, DType rangeType) {
        List<LinearOperator<NDArray, NDArray>> operators = new ArrayList<>(given.size());
        for (int i = 0; i < given.size(); i++) {
            LinearOperator<NDArray, NDArray> operator = given.get(i);
            boolean extend = domainType.isComplex() && !Operands.isComplex(operator.domain());
            if (extend) operator = operator.complex();
            if (operator.domain().dtype() != domainType || operator.range().dtype() != rangeType)
                throw new IllegalArgumentException("operator " + i + " maps "
                        + operator.domain().dtype() + " to " + operator.range().dtype() + "; expected " + domainType
                        + " to " + rangeType + ", the types of the other operators");
            operators.add(operator);
        }
        return new Members(List.copyOf(operators), domainType, rangeType);
    }

    DType domainType() {
        return domainType;
    }

    DType rangeType() {
        return rangeType;
    }

    /** How many elements the domains have together. */
    long domainSize() {
        return operators.stream().mapToLong(a -> a.domain().size()).reduce(0, Math::addExact);
    }

    /** How many elements the ranges have together. */
    long rangeSize() {
        return operators.stream().mapToLong(a -> a.range().size()).reduce(0, Math::addExact);
    }

    /**
     * The number of elements that every domain has.
     *
     * @throws IllegalArgumentException when they differ
     */
    long requireCommonDomain() {
        long size = operators.getFirst().domain().size();
        for (int i = 1; i < operators.size(); i++) requireDomain(i, size);
        return size;
    }

    /** Requires that every domain has {@code size} elements. */
    void requireCommonDomain(long size) {
        for (int i = 0; i < operators.size(); i++) requireDomain(i, size);
    }

    private void requireDomain(int i, long size) {
        long own = operators.get(i).domain().size();
        if (own != size)
            throw new IllegalArgumentException("operator " + i + " is applied to " + own + " elements; expected " + size
                    + ", since all members of a stack are applied to one vector");
    }

    /** Requires that the domains have {@code domain} elements together and the ranges {@code range}. */
    void requireSizes(long domain, long range) {
        if (domainSize() != domain)
            throw new IllegalArgumentException("the operators' domains have " + domainSize()
                    + " elements together; expected " + domain + ", those of the array that they share");
        requireRange(range);
    }

    /** Requires that the ranges have {@code range} elements together. */
    void requireRange(long range) {
        if (rangeSize() != range)
            throw new IllegalArgumentException("the operators' ranges have " + rangeSize()
                    + " elements together; expected " + range + ", those of the array that they share");
    }

    /** {@code y_i = A_i x_i} on flat contiguous arrays. */
    void forwardEach(NDArray x, NDArray y) {
        long from = 0;
        long to = 0;
        for (LinearOperator<NDArray, NDArray> a : operators) {
            a.applyForward(view(x, from, (ArraySpace) a.domain()), view(y, to, (ArraySpace) a.range()));
            from += a.domain().size();
            to += a.range().size();
        }
    }

    /** {@code x_i = A_i^H y_i} on flat contiguous arrays. */
    void adjointEach(NDArray y, NDArray x) {
        long from = 0;
        long to = 0;
        for (LinearOperator<NDArray, NDArray> a : operators) {
            a.applyAdjoint(view(y, from, (ArraySpace) a.range()), view(x, to, (ArraySpace) a.domain()));
            from += a.range().size();
            to += a.domain().size();
        }
    }

    /** {@code y_i = A_i x} on flat contiguous arrays. */
    void forwardAll(NDArray x, NDArray y) {
        long to = 0;
        for (LinearOperator<NDArray, NDArray> a : operators) {
            a.applyForward(view(x, 0, (ArraySpace) a.domain()), view(y, to, (ArraySpace) a.range()));
            to += a.range().size();
        }
    }

    /** {@code x = sum of A_i^H y_i} on flat contiguous arrays; zero when there are no members. */
    void adjointSum(NDArray y, NDArray x, Workspace<NDArray> term) {
        if (operators.isEmpty()) x.fill(0);
        long from = 0;
        for (int i = 0; i < operators.size(); i++) {
            LinearOperator<NDArray, NDArray> a = operators.get(i);
            NDArray into = i == 0 ? x : term.get();
            a.applyAdjoint(view(y, from, (ArraySpace) a.range()), view(into, 0, (ArraySpace) a.domain()));
            if (i > 0) x.axpy(1, into);
            from += a.range().size();
        }
    }

    private static NDArray view(NDArray flat, long from, ArraySpace space) {
        return flat.slice(0, from, from + space.size()).reshape(space.dims());
    }

    boolean areComplexLinear() {
        return operators.stream().allMatch(LinearOperator::isComplexLinear);
    }

    /** The members over complex vectors. */
    Members complex() {
        return new Members(
                operators.stream().map(LinearOperator::complex).toList(), domainType.complex(), rangeType.complex());
    }

    void close() {
        operators.forEach(LinearOperator::close);
    }
}
