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

/// Asks the processor to load a cell into its caches. Cells that do not exist are ignored.
#[inline(always)]
pub(crate) fn prefetch<T>(cells: &[T], index: usize) {
    #[cfg(target_arch = "x86_64")]
    if let Some(cell) = cells.get(index) {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: all x86-64 processors have the instruction, and it changes nothing but the caches.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(cell).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (cells, index);
}
