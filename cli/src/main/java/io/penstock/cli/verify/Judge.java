package io.penstock.cli.verify;

import io.penstock.cli.verify.Verdict.Outcome;
import io.penstock.comm.CommunicatorException;
import io.penstock.comm.Ranks;
import io.penstock.runtime.Scope;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Computes recorded cases anew and compares. */
final class Judge {
    private final List<Integer> rankCounts;

    /** A judge that computes distributed cases on each of these numbers of ranks. */
    Judge(List<Integer> rankCounts) {
        this.rankCounts = rankCounts;
    }

    Verdict judge(Reference reference) {
        Optional<Mapping> mapping = Mappings.of(reference);
        if (mapping.isEmpty()) return new Verdict(Outcome.NOT_COVERED, "no counterpart of " + reference.op());
        double worst = 0;
        TreeSet<String> compared = new TreeSet<>();
        String on = "";
        for (int count : reference.distributed() ? rankCounts : List.of(1)) {
            if (reference.distributed()) on = " on " + count + (count == 1 ? " rank" : " ranks");
            Map<String, Values> results;
            try (Scope _ = Scope.open()) {
                results = Ranks.call(count, ranks -> mapping.get().compute(reference, ranks))
                        .getFirst();
                for (Map.Entry<String, Values> result : results.entrySet()) {
                    double share = compare(reference, result.getKey(), result.getValue());
                    worst = Math.max(worst, share);
                    compared.add(result.getKey());
                }
            } catch (NotCovered e) {
                return new Verdict(Outcome.NOT_COVERED, String.valueOf(e.getMessage()));
            } catch (Disagreement e) {
                return new Verdict(Outcome.FAILED, e.getMessage() + on);
            } catch (CommunicatorException e) {
                Throwable cause = e.getCause() == null ? e : e.getCause();
                if (cause instanceof NotCovered)
                    return new Verdict(Outcome.NOT_COVERED, String.valueOf(cause.getMessage()));
                return new Verdict(Outcome.FAILED, cause + on);
            } catch (RuntimeException e) {
                return new Verdict(Outcome.FAILED, e + on);
            }
        }
        return new Verdict(Outcome.PASSED, detail(reference, compared, worst));
    }

    private static String detail(Reference reference, Set<String> compared, double worst) {
        int recorded = reference.json().path("outputs").size();
        String names =
                compared.size() > 8 ? compared.size() + " of " + recorded + " outputs" : String.join(", ", compared);
        return String.format(Locale.ROOT, "%s; largest deviation %.1e of what is allowed", names, worst);
    }

    /** The deviation of an output, in units of what is allowed. */
    private static double compare(Reference reference, String output, Values got) {
        Values expected = expected(reference, output);
        if (got.size() != expected.size())
            throw new Disagreement(output + " has " + got.size() + " elements; expected " + expected.size());
        double distance = got.distance(expected);
        double bound = reference.tolerance(output).bound(expected);
        if (!(distance <= bound))
            throw new Disagreement(
                    String.format(Locale.ROOT, "%s is off by %.3e; allowed is %.3e", output, distance, bound));
        return bound == 0 ? 0 : distance / bound;
    }

    private static Values expected(Reference reference, String output) {
        return Values.of(reference.array(reference.has("out_" + output) ? "out_" + output : output));
    }

    private static final class Disagreement extends RuntimeException {
        private static final long serialVersionUID = 1;

        Disagreement(String message) {
            super(message);
        }
    }
}
