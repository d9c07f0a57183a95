type NonNull<T> = { readonly [K in keyof T]?: NonNullable<T[K]> }

/** The fields of an object that are neither null nor undefined. */
export function omitNulls<T extends object>(values: T): NonNull<T> {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== null && value !== undefined),
  ) as NonNull<T>
}
