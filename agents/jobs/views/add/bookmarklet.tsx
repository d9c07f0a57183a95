import { useEffect, useRef } from 'react'

import { usePage } from '../page-context.ts'

/**
 * Runs in the page of a posting: opens the console, and hands the page over once the console asks for it. Where the
 * page is cut off from the windows that it opens, the console still has its address.
 */
const SCRIPT = `(() => {
  const opened = open(TARGET + '#' + encodeURIComponent(location.href))
  addEventListener('message', ({ source, origin, data }) => {
    if (source === opened && origin === new URL(TARGET).origin && data === 'dragoman-ready')
      opened.postMessage({ url: location.href, content: document.documentElement.outerHTML }, origin)
  })
})()`

/** A bookmark that sends the page of a posting here. */
export function Bookmarklet() {
  const { t, hrefOf } = usePage()
  const link = useRef<HTMLAnchorElement>(null)
  useEffect(() => {
    const target = JSON.stringify(new URL(hrefOf('add'), location.href).href)
    const script = SCRIPT.replaceAll('TARGET', target)
    // React refuses such an address, because it would run when it is clicked. Here it is only dragged away.
    link.current?.setAttribute('href', `javascript:${encodeURIComponent(script)}`)
  }, [hrefOf])
  return (
    <div className="jobs-form">
      <p>{t('add.bookmarkletNote')}</p>
      <p>
        <a ref={link} className="button" onClick={(event) => event.preventDefault()} draggable>
          {t('add.bookmarkletName')}
        </a>
      </p>
      <p className="quiet">{t('add.bookmarkletUse')}</p>
    </div>
  )
}
