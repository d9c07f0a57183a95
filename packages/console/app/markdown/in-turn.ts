/** Time in ms for which a page may draw before it answers its reader again. */
const TURN_MS = 40

const waiting = new Set<() => void>()
let usedMs = 0
let timer: ReturnType<typeof setTimeout> | undefined

/**
 * Draws something at once, or in a later turn of the page if this one has drawn for long. Returns a function that
 * cancels it.
 */
export function inTurn(draw: () => void): () => void {
  waiting.add(draw)
  drawWaiting()
  return () => void waiting.delete(draw)
}

function drawWaiting(): void {
  for (const draw of waiting) {
    if (usedMs >= TURN_MS) break
    const start = performance.now()
    waiting.delete(draw)
    draw()
    usedMs += performance.now() - start
  }
  timer ??= setTimeout(beginTurn)
}

function beginTurn(): void {
  timer = undefined
  usedMs = 0
  if (waiting.size > 0) drawWaiting()
}
