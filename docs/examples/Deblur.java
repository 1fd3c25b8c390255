import io.penstock.array.ArraySpace;
import io.penstock.operator.Convolution;
import io.penstock.operator.Wavelets;
import io.penstock.solver.Cgls;
import java.nio.file.Path;

/** Finds three spikes behind a wavelet and a little noise. */
public class Deblur {
    public static void main(String[] args) {
        var space = ArraySpace.of(200); // arrays of 200 doubles
        var spikes = space.zeros();
        spikes.set(1.5, 40); // value first, then the indices
        spikes.set(-2, 90);
        spikes.set(1, 150);

        double[] wavelet = Wavelets.ricker(25, 0.004, 41);
        var blur = Convolution.along(0, wavelet).origin(20).on(space); // the wavelet's middle is at index 20
        blur.dotTest(1, 1e-12); // with a tolerance it throws unless adjoint() is the adjoint of forward()

        var data = blur.forward(spikes).add(space.random(7).multiply(0.01)); // random is normal, with this seed
        var found = Cgls.of(blur, data).damping(0.1).iterations(100).relativeTolerance(1e-6).solve();

        System.out.println(found); // why it stopped, after how many iterations
        System.out.println("strongest at " + found.x().abs().argMax());
        found.x().save(Path.of(args.length > 0 ? args[0] : "deblurred.npy")); // numpy.load reads it
    }
}
