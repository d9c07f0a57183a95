const PATH = '/v1/files/'

/** The address of a stored file, on its own server. */
export function fileUrl(fileId: string): string {
  return `${PATH}${fileId}`
}

/** The id of the stored file at an address; undefined for any other address. */
export function fileIdOf(url: string): string | undefined {
  const id = url.startsWith(PATH) ? url.slice(PATH.length) : ''
  return /^file_[\w-]+$/.test(id) ? id : undefined
}

/** The id of the file that a client names: by its address on whichever host, by its path, or by the id alone. */
export function namedFileId(url: string): string | undefined {
  const path = /^https?:/i.test(url) ? (URL.parse(url)?.pathname ?? '') : url
  return /^(?:.*\/v1\/files\/)?(file_[\w-]+)$/.exec(path)?.[1]
}
