/** A curl command that posts JSON. Spaces in the JSON let a narrow page wrap it between words. */
export function curlPost(url: string, body: object): string {
  const spaced = JSON.stringify(body, null, 1).replaceAll(/\n\s*/g, ' ')
  return `curl -N ${url} \\\n  -H 'content-type: application/json' \\\n  -d '${spaced}'`
}
