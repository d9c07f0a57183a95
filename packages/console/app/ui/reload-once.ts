const KEY = 'dragoman.reloaded-at'
/** Whoever sees the failure again so soon gets it told. */
const PAUSE_MS = 60_000

/**
 * An upgrade replaces the files of pages. A tab that was open before asks for one that is not there any more: it is
 * loaded again, once. https://vite.dev/guide/build.html#load-error-handling
 */
export function reloadOnceForMissingFiles(): void {
  addEventListener('vite:preloadError', (event) => {
    if (!navigator.onLine || Date.now() - Number(sessionStorage.getItem(KEY)) < PAUSE_MS) return
    sessionStorage.setItem(KEY, String(Date.now()))
    event.preventDefault()
    location.reload()
  })
}
