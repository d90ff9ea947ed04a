//! The instruction sets for which the inner loops are compiled.

/// Compiles a function for AVX-512, for AVX2 and for the baseline; the best version that the machine supports is
/// selected at run time. Everything that the function calls must be `#[inline(always)]`, or it is compiled for the
/// baseline only. Fused multiply-add is not among the features, so all versions give bit-identical results.
macro_rules! vectorised {
    ($($function:tt)*) => {
        #[multiversion::multiversion(targets(
            "x86_64+avx+avx2+bmi1+bmi2+popcnt+avx512f+avx512bw+avx512dq+avx512vl",
            "x86_64+avx+avx2+bmi1+bmi2+popcnt",
        ))]
        $($function)*
    };
}

pub(crate) use vectorised;

/// The number of lanes of a row in double precision: eight numbers fill a cache line.
pub const LANES: usize = 8;
