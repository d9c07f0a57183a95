/** The title of a page of HTML; undefined if the text is none, or has none. At most 300 characters are matched. */
export function pageTitle(text: string): string | undefined {
  const title = /<title[^>]{0,100}>([^<]{0,200})/i.exec(text)?.[1]?.trim()
  return title === '' ? undefined : title
}
