export function threadPath(id: string): string {
  return `/v1/threads/${encodeURIComponent(id)}`
}

/** By the id of a run, or of its message. */
export function runPath(id: string): string {
  return `/v1/runs/${encodeURIComponent(id)}`
}
