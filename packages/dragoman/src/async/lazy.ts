/** Creates a value at the first call, and returns the same value afterwards. */
export function lazy<T>(create: () => T): () => T {
  let cached: { readonly it: T } | undefined
  return () => (cached ??= { it: create() }).it
}
