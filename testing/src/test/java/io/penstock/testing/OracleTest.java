package io.penstock.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import org.junit.jupiter.api.Test;

class OracleTest {
    @Test
    void readsTheIndex() {
        Oracle oracle = Oracle.recorded();
        assertThat(oracle.kinds()).containsKeys("operator", "solver", "function", "values", "halo");
        assertThat(oracle.cases())
                .allSatisfy(c -> assertThat(Files.exists(c.archive()))
                        .as("archive of %s", c)
                        .isTrue());
    }

    @Test
    void tellsWhereArraysLieAndHowCloseAResultMustCome() {
        Oracle.Case c = Oracle.recorded().family("local_solver_cg").getFirst();
        assertThat(c.inputs()).contains("A", "y");
        assertThat(c.outputs()).contains("x", "cost");
        assertThat(c.key("A")).isEqualTo("c000.A");
        assertThat(c.outputKey("x")).isEqualTo("c000.out_x");
        assertThat(c.tolerance("x").rtol()).isEqualTo(1e-10);
        assertThatThrownBy(() -> c.key("B")).hasMessageContaining("local_solver_cg/c000 has no array B");
        assertThat(Oracle.recorded()
                        .family("mpi_FirstDerivative")
                        .getFirst()
                        .tolerance("y")
                        .atol())
                .isEqualTo(1e-14);
    }
}
