// The kinds of jokers in words (docs/rules.md).

export const JOKERS: Record<string, { name: string; short: string; long: string }> = {
  none: { name: 'None', short: 'no joker', long: 'They go into any open box for what they pay there.' },
  forced: { name: 'Forced', short: 'forced joker', long: 'Into their own upper box if it is open, else into any lower box as a joker, else into any upper box.' },
  free: { name: 'Free', short: 'free joker', long: 'Into any open box; lower boxes pay as jokers once their own upper box is filled.' },
  used: { name: 'Used', short: 'joker that must be used', long: 'As free, but the bonus is paid only in their own upper box, or once that is filled.' },
}
