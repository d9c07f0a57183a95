import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, type ReactNode } from 'react'

import type { ConsoleKit, DialogProps } from '../../src/view.ts'
import { announceChange } from '../api/other-tabs.ts'
import { queryClient } from '../api/queries.ts'
import { request, send } from '../api/request.ts'
import { serverUrl } from '../api/server-url.ts'
import { Markdown } from '../markdown/markdown.tsx'

const Dialog = lazy(() => import('../ui/dialog.tsx').then(({ Dialog: dialog }) => ({ default: dialog })))

/** Paths that views have loaded, apart from the queries of the console itself. */
const VIEW_KEY = 'view'

/** What the queries of the console itself load. */
const CONSOLE_PREFIX = '/v1'

/** The parts of the console that the views of agents share. */
export const consoleKit: ConsoleKit = {
  send,
  request,
  url: serverUrl,
  useJson<T>(path: string | undefined, { interval }: { readonly interval?: number } = {}) {
    const { data, error, isPending } = useQuery<T>({
      queryKey: [VIEW_KEY, path],
      queryFn: ({ signal }) => request<T>(path ?? '', { signal }),
      enabled: path !== undefined,
      placeholderData: keepPreviousData,
      refetchInterval: interval ?? false,
    })
    return { data, error, isLoading: path !== undefined && isPending }
  },
  async refresh(prefix) {
    announceChange()
    await queryClient.invalidateQueries({
      predicate: ({ queryKey: [kind, path] }) =>
        kind === VIEW_KEY
          ? typeof path === 'string' && path.startsWith(prefix)
          : prefix.startsWith(CONSOLE_PREFIX),
    })
  },
  Markdown: ({ text }) => <Markdown text={text} />,
  Dialog: ({ children, ...props }: DialogProps) => (
    <Suspense>
      <Dialog {...props}>{children as ReactNode}</Dialog>
    </Suspense>
  ),
}
