import { lazy, Suspense } from 'react'
import { Route, Switch, useLocation, useRoute } from 'wouter'

import { useAgents, useCaller, useIsGuest } from './api/queries.ts'
import { RequestError } from './api/request.ts'
import { currentUser, useSessionEnded } from './api/session.ts'
import { NewChatPage } from './chat/new-chat-page.tsx'
import { ThreadPage } from './chat/thread-page.tsx'
import { useTranslate } from './i18n/translate.tsx'
import { NotFoundPage } from './layout/not-found-page.tsx'
import { Shell } from './layout/shell.tsx'
import { ErrorBoundary } from './ui/error-boundary.tsx'
import { PageFailure } from './ui/page-failure.tsx'

const AccountPage = lazy(() =>
  import('./account/account-page.tsx').then(({ AccountPage: page }) => ({ default: page })),
)
const InboxPage = lazy(() =>
  import('./inbox/inbox-page.tsx').then(({ InboxPage: page }) => ({ default: page })),
)
const InspectorPage = lazy(() =>
  import('./inspector/inspector-page.tsx').then(({ InspectorPage: page }) => ({ default: page })),
)
const ModelsPage = lazy(() =>
  import('./models/models-page.tsx').then(({ ModelsPage: page }) => ({ default: page })),
)
const AgentPage = lazy(() =>
  import('./views/agent-page.tsx').then(({ AgentPage: page }) => ({ default: page })),
)
const OperatePage = lazy(() =>
  import('./operate/operate-page.tsx').then(({ OperatePage: page }) => ({ default: page })),
)
const SignInPage = lazy(() =>
  import('./sign-in/sign-in-page.tsx').then(({ SignInPage: page }) => ({ default: page })),
)

const SignInDialog = lazy(() =>
  import('./sign-in/sign-in-dialog.tsx').then(({ SignInDialog: dialog }) => ({ default: dialog })),
)

const SIGN_IN_PATH = '/console/sign-in'

/** The page of an address, or the sign-in page if the server wants a token. */
export function App() {
  const { t } = useTranslate()
  const { data: agents, error } = useAgents()
  const { isPending: isUserPending } = useCaller()
  const hasEnded = useSessionEnded()
  const isGuest = useIsGuest()
  const [isSigningIn] = useRoute(SIGN_IN_PATH)
  const [location] = useLocation()
  const accountOnly = isGuest ? <NotFoundPage note={t('guest.needsToken')} /> : undefined
  const isSignedOut = agents === undefined && error instanceof RequestError && error.status === 401
  if (isSigningIn || isSignedOut)
    return (
      <Suspense>
        <SignInPage path={isSigningIn ? '/' : undefined} />
      </Suspense>
    )
  // What is written is kept under the name of the user.
  if (isUserPending && currentUser() === '') return null
  return (
    <Shell>
      {hasEnded && (
        <Suspense>
          <SignInDialog />
        </Suspense>
      )}
      <ErrorBoundary key={location} failure={<PageFailure />}>
        <Suspense fallback={<main className="page" aria-busy />}>
          <Switch>
            <Route path="/" component={NewChatPage} />
            <Route path="/console/threads/:id">{({ id }) => <ThreadPage key={id} id={id} />}</Route>
            <Route path="/console/inbox" component={InboxPage} />
            <Route path="/console/inspect/:id?">
              {({ id }) => accountOnly ?? <InspectorPage key={id} runId={id} />}
            </Route>
            <Route path="/console/agents/:id/*?">
              {({ id, '*': path = '' }) => <AgentPage key={id} agentId={id} path={path} />}
            </Route>
            <Route path="/console/account">{accountOnly ?? <AccountPage />}</Route>
            <Route path="/console/operate">{accountOnly ?? <OperatePage />}</Route>
            <Route path="/console/models">{accountOnly ?? <ModelsPage />}</Route>
            <Route>
              <NotFoundPage />
            </Route>
          </Switch>
        </Suspense>
      </ErrorBoundary>
    </Shell>
  )
}
