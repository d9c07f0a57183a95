const MAX_PLACES = 5

/** Several places on one line, each once. */
export function joinPlaces(names: readonly string[]): string {
  return unique(names).slice(0, MAX_PLACES).join('; ')
}

/** One place from its city, region and country. */
export function joinPlaceParts(parts: readonly string[]): string {
  return unique(parts).join(', ')
}

function unique(names: readonly string[]): readonly string[] {
  return [...new Set(names.filter(Boolean))]
}
