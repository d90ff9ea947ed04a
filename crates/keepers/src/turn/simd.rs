//! The instruction sets that the inner loops are compiled for.

/// Compiles a function once for AVX-512, once for AVX2 and once for the baseline; the best version that the machine
/// has is chosen at run time. Everything the function calls must be `#[inline(always)]` to be compiled with it. There
/// is no fused multiply-add among the features, so all versions give the same bits.
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

/// Lanes of a row in double precision: a cache line.
pub const LANES: usize = 8;
