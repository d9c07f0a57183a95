import type { ComponentProps, MouseEvent } from 'react'

/** Where a link may lead. An address without a scheme is on this server. */
const SAFE = /^(?:https?:|mailto:|tel:|ircs?:|xmpp:)/i
const SCHEME = /^[a-z][a-z\d+.-]*:/i
/** Pictures of points. Others may have scripts. */
const PICTURE = /^data:image\/(?:png|jpeg|gif|webp|avif|bmp);base64,[\w+/=]+$/i

/** A link, or its text with the address if that is no address of a page. */
export function Link({ href = '', title, children }: ComponentProps<'a'>) {
  if (href.startsWith('#'))
    return (
      <a href={href} title={title} onClick={openOnPage}>
        {children}
      </a>
    )
  if (!isSafe(href))
    return (
      <>
        {children} ({href})
      </>
    )
  const [address, rest] = splitAutolink(href, children)
  return (
    <>
      <a href={address} title={title} target="_blank" rel="noreferrer noopener">
        {rest === '' ? children : address}
      </a>
      {rest}
    </>
  )
}

/** A picture that the text brings. One of another server would tell it what was answered, so it is a link. */
export function Picture({ src, alt, title }: ComponentProps<'img'>) {
  const address = typeof src === 'string' ? src : ''
  if (PICTURE.test(address)) return <img src={address} alt={alt} title={title} className="picture" />
  return (
    <Link href={address} title={title}>
      {alt === undefined || alt === '' ? address : alt}
    </Link>
  )
}

function isSafe(address: string): boolean {
  return address !== '' && (SAFE.test(address) || !SCHEME.test(address.replaceAll(/[\s\p{Cc}]/gu, '')))
}

/** Shows what a link within the text leads to: a footnote, or a heading by its words. */
function openOnPage(event: MouseEvent<HTMLAnchorElement>): void {
  const link = event.currentTarget
  const name = decodeURIComponent(link.hash.slice(1))
  const headings = link.closest('.markdown')?.querySelectorAll<HTMLElement>('h1, h2, h3, h4, h5, h6') ?? []
  const target = document.getElementById(name) ?? [...headings].find((heading) => slugOf(heading) === name)
  event.preventDefault()
  if (!target) return
  target.tabIndex = -1
  target.scrollIntoView({ block: 'center' })
  target.focus({ preventScroll: true })
}

function slugOf({ textContent }: HTMLElement): string {
  return textContent
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s+/g, '-')
}

/** The address that a text names, without the quotation mark or the Chinese punctuation that follows it. */
function splitAutolink(href: string, children: unknown): [address: string, rest: string] {
  if (typeof children !== 'string' || !/^https?:/.test(children)) return [href, '']
  const [rest = ''] = /(?<![”’」』）》。，、；：！？])[”’」』）》。，、；：！？]+$/.exec(children) ?? []
  return rest === '' ? [href, ''] : [children.slice(0, -rest.length), rest]
}
