/** Makes something when it is first asked for, and keeps it. */
export function lazy<T>(create: () => T): () => T {
  let cached: { readonly it: T } | undefined
  return () => (cached ??= { it: create() }).it
}
