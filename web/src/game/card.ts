// The card string: `1=3,6=18,extra=1`. What it means is the server's business; this is its form.

export interface CardParts {
  boxes: Record<string, number>
  extras: number
}

export function readCard(text: string): CardParts {
  const parts: CardParts = { boxes: {}, extras: 0 }
  for (const part of text.split(',')) {
    const [id = '', points = ''] = part.split('=', 2).map((piece) => piece.trim())
    if (!/^\d+$/.test(points)) continue
    if (id === 'extra') parts.extras = Number(points)
    else parts.boxes[id] = Number(points)
  }
  return parts
}

export function writeCard(parts: CardParts): string {
  const boxes = Object.entries(parts.boxes).map(([id, points]) => `${id}=${points}`)
  return [...boxes, ...(parts.extras ? [`extra=${parts.extras}`] : [])].join(',')
}

/** The card with points in a box, or without; the id "extra" stands for the number of extras. */
export function withBox(card: string, id: string, points: number | null): string {
  const parts = readCard(card)
  if (id === 'extra') parts.extras = points ?? 0
  else if (points === null) delete parts.boxes[id]
  else parts.boxes[id] = points
  return writeCard(parts)
}

/** A message about a card with the names of its boxes, which people know better than their ids. */
export const withNames = (message: string, { boxes }: { boxes: readonly { id: string; name: string }[] }): string =>
  message.replace(/(^|; |if |while )(\w+)(?= (?:cannot|can|is|holds|kann|kan|ist|är)(?!\w))/g, (all, before: string, id: string) => {
    const box = boxes.find((box) => box.id === id)
    return box ? before + box.name : all
  })
