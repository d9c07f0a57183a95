/** The parts of a URL's path, decoded where they can be. */
export function pathParts(url: URL): readonly string[] {
  return url.pathname.split('/').filter(Boolean).map(decodePart)
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
