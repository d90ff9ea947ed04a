// Files for the person: text, SVG, and PNG drawn from an SVG. Nothing leaves the machine.

export function downloadText(name: string, text: string, type = 'text/plain') {
  downloadBlob(name, new Blob([text], { type: `${type};charset=utf-8` }))
}

export const downloadSvg = (name: string, svg: string) => downloadText(name, svg, 'image/svg+xml')

/** Draws an SVG of known size onto a canvas, twice as fine as it says. */
export async function downloadPng(name: string, svg: string, scale = 2) {
  const address = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml;charset=utf-8' }))
  try {
    const picture = new Image()
    picture.src = address
    await picture.decode()
    const canvas = document.createElement('canvas')
    canvas.width = picture.naturalWidth * scale
    canvas.height = picture.naturalHeight * scale
    canvas.getContext('2d')!.drawImage(picture, 0, 0, canvas.width, canvas.height)
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
    if (blob) downloadBlob(name, blob)
  } finally {
    URL.revokeObjectURL(address)
  }
}

function downloadBlob(name: string, blob: Blob) {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  // The browser reads the file after the click: its address must live a little longer.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}

/** A file name that every system takes. */
export const fileName = (title: string, ending: string) =>
  `${title.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '').slice(0, 60) || 'keepers'}.${ending}`

export const escapeXml = (text: string) =>
  text.replace(/[&<>"']/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' })[sign]!)
