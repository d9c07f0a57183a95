import { useRef } from 'react'
import { serverUrl } from '../api/server-url.ts'

/**
 * A page without the rights of this one: it does not reach its data, and loads nothing from a server. The server's
 * policy says so, and what browsers can keep to: `surfaces/page/routes.ts` of the server.
 */
export const SANDBOX_PATH = '/console/assets/sandbox.html'
export const SANDBOX_RIGHTS = 'allow-scripts'

/** HTML or SVG as it looks, in a frame of its own. */
export function Sandbox({ html, title }: { readonly html: string; readonly title: string }) {
  const isSent = useRef(false)
  return (
    <iframe
      // What a page has become cannot be undone: other HTML gets another frame.
      key={html}
      className="sandbox"
      src={serverUrl(SANDBOX_PATH)}
      sandbox={SANDBOX_RIGHTS}
      referrerPolicy="no-referrer"
      title={title}
      onLoad={({ currentTarget }) => {
        // It is loaded again with what it was sent.
        if (!isSent.current) currentTarget.contentWindow?.postMessage(html, '*')
        isSent.current = true
      }}
    />
  )
}
