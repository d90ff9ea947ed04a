// The sound of dice, made on the spot: short knocks of filtered noise. Nothing is loaded, and nothing sounds unless it is wanted.

let context: AudioContext | null = null

function knock(audio: AudioContext, at: number, loudness: number) {
  const length = Math.floor(audio.sampleRate * 0.045)
  const buffer = audio.createBuffer(1, length, audio.sampleRate)
  const data = buffer.getChannelData(0)
  for (let index = 0; index < length; index++) data[index] = (Math.random() * 2 - 1) * (1 - index / length) ** 3
  const source = audio.createBufferSource()
  source.buffer = buffer
  const filter = audio.createBiquadFilter()
  filter.type = 'bandpass'
  filter.frequency.value = 900 + 1400 * Math.random()
  const gain = audio.createGain()
  gain.gain.value = loudness
  source.connect(filter).connect(gain).connect(audio.destination)
  source.start(at)
}

/** So many dice fall on the table. */
export function rattle(dice: number) {
  try {
    context ??= new AudioContext()
    void context.resume()
    for (let die = 0; die < dice; die++) for (let bounce = 0; bounce < 3; bounce++) knock(context, context.currentTime + 0.05 * die + 0.11 * bounce + 0.03 * Math.random(), 0.5 / (1 + bounce))
  } catch {
    // a browser without sound plays silently
  }
}
