package io.penstock.cli.verify;

import io.penstock.array.ArraySpace;
import io.penstock.array.NDArray;
import io.penstock.array.Vector;
import io.penstock.comm.Communicator;
import io.penstock.distributed.DistributedSpace;
import io.penstock.distributed.Layout;
import io.penstock.operator.LinearOperator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;

/** What all mappings of operators share: spaces, and the application forward and adjoint. */
final class Operators {
    private Operators() {}

    static Mapping local(Function<Reference, LinearOperator<NDArray, NDArray>> make) {
        return (reference, ranks) -> apply(make.apply(reference), reference);
    }

    static Mapping distributed(BiFunction<Reference, Communicator, LinearOperator<?, ?>> make) {
        return (reference, ranks) -> apply(make.apply(reference, ranks), reference);
    }

    /** The space of arrays that a local operator is applied to. */
    static ArraySpace domain(Reference reference) {
        return ArraySpace.of(reference.dtype(), reference.dims("dims"));
    }

    /** The space of arrays that a distributed operator is applied to, cut along the first axis. */
    static DistributedSpace domain(Reference reference, Communicator ranks) {
        return new DistributedSpace(ranks, Layout.rows(ranks.size(), reference.longs("dims")), reference.dtype());
    }

    private static <X extends Vector<X>, Y extends Vector<Y>> Map<String, Values> apply(
            LinearOperator<X, Y> made, Reference reference) {
        boolean complex = reference.array("x").dtype().isComplex() && !Vectors.isComplex(made.domain());
        LinearOperator<X, Y> a = complex ? made.complex() : made;
        Map<String, Values> results = new LinkedHashMap<>();
        for (JsonNode check : reference.json().path("checks")) {
            NDArray in = reference.array(check.path("in").asString(""));
            String out = check.path("out").asString("");
            if (check.path("apply").asString("").equals("forward"))
                results.put(out, Vectors.values(a.forward(Vectors.of(a.domain(), in))));
            else results.put(out, Vectors.values(a.adjoint(Vectors.of(a.range(), in))));
        }
        if (results.isEmpty()) throw new IllegalArgumentException(reference.id() + " has no 'checks'");
        return results;
    }
}
