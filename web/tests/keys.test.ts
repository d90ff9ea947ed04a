import { describe, expect, it } from 'vitest'
import { keys } from '../src/lib/keys.svelte'

describe('keys', () => {
  it('are gone when their page is', () => {
    const end = keys.use([{ key: 'x', does: 'something', run: () => undefined }])
    const other = keys.use([{ key: 'y', does: 'something else', run: () => undefined }])
    end()
    expect(keys.all.map((key) => key.key)).toEqual(['y'])
    other()
    expect(keys.all).toEqual([])
  })
})
