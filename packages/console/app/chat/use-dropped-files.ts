import { useEffect, useRef, useState } from 'react'

/**
 * Takes files that are dropped anywhere on the page: the browser would open a file that misses the field, and leave the
 * page. Gives whether files are over the page.
 */
export function useDroppedFiles(onFiles: (files: readonly File[]) => void): boolean {
  const [isOver, setOver] = useState(false)
  const take = useRef(onFiles)
  useEffect(() => {
    take.current = onFiles
  }, [onFiles])
  useEffect(() => {
    const listening = new AbortController()
    const { signal } = listening
    addEventListener(
      'dragover',
      (event) => {
        if (!event.dataTransfer?.types.includes('Files')) return
        event.preventDefault()
        setOver(true)
      },
      { signal },
    )
    addEventListener('dragleave', (event) => event.relatedTarget === null && setOver(false), { signal })
    addEventListener(
      'drop',
      (event) => {
        event.preventDefault()
        setOver(false)
        take.current([...(event.dataTransfer?.files ?? [])])
      },
      { signal },
    )
    return () => listening.abort()
  }, [])
  return isOver
}
