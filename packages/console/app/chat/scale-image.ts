/** Models see no more. */
const MAX_EDGE_PX = 2000
/** Providers take images of about so many bytes. */
const MAX_BYTES = 3 * 1024 * 1024
const QUALITIES = [0.88, 0.75, 0.6]
/** What all providers take as it is. */
const COMMON = /^image\/(?:png|jpeg|gif|webp)$/

/**
 * An image as models take it: upright, at most 2,000 pixels wide and high, and of a type that all take. Another file
 * stays as it is, and an image that the browser cannot show.
 */
export async function scaleImage(file: File): Promise<File> {
  if (!file.type.startsWith('image/') || file.type === 'image/svg+xml') return file
  const image = await createImageBitmap(file, { imageOrientation: 'from-image' }).catch(() => undefined)
  if (!image) return file
  try {
    const scale = Math.min(1, MAX_EDGE_PX / Math.max(image.width, image.height))
    // An animation would lose its pictures but the first.
    const isSmall = file.size <= MAX_BYTES && (scale === 1 || file.type === 'image/gif')
    return isSmall && COMMON.test(file.type) ? file : await draw(image, scale, file)
  } finally {
    image.close()
  }
}

async function draw(image: ImageBitmap, scale: number, file: File): Promise<File> {
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(image.width * scale))
  canvas.height = Math.max(1, Math.round(image.height * scale))
  const context = canvas.getContext('2d')
  if (!context) return file
  context.imageSmoothingQuality = 'high'
  // A drawing keeps its edges, and what is transparent.
  if (file.type !== 'image/jpeg') {
    context.drawImage(image, 0, 0, canvas.width, canvas.height)
    const drawing = await toFile(canvas, file, 'image/png')
    if (drawing && drawing.size <= MAX_BYTES) return drawing
    context.globalCompositeOperation = 'copy'
    context.fillStyle = '#fff'
    context.fillRect(0, 0, canvas.width, canvas.height)
    context.globalCompositeOperation = 'source-over'
  }
  context.drawImage(image, 0, 0, canvas.width, canvas.height)
  let photo: File | undefined
  for (const quality of QUALITIES) {
    photo = await toFile(canvas, file, 'image/jpeg', quality)
    if (photo && photo.size <= MAX_BYTES) return photo
  }
  return photo ?? file
}

async function toFile(
  canvas: HTMLCanvasElement,
  { name }: File,
  type: 'image/png' | 'image/jpeg',
  quality?: number,
): Promise<File | undefined> {
  const { promise, resolve } = Promise.withResolvers<Blob | null>()
  canvas.toBlob(resolve, type, quality)
  const blob = await promise
  const ending = type === 'image/png' ? 'png' : 'jpg'
  const stem = name.replace(/\.\w+$/, '') || 'image'
  return blob ? new File([blob], `${stem}.${ending}`, { type }) : undefined
}
