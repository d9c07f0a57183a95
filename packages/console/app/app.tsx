import { lazy, Suspense } from 'react'
import { Route, Switch } from 'wouter'

import { useAgents } from './api/queries.ts'
import { RequestError } from './api/request.ts'
import { NewChatPage } from './chat/new-chat-page.tsx'
import { ThreadPage } from './chat/thread-page.tsx'
import { NotFoundPage } from './layout/not-found-page.tsx'
import { Shell } from './layout/shell.tsx'

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

/** The page of an address, or the sign-in page if the server wants a token. */
export function App() {
  const { error } = useAgents()
  if (error instanceof RequestError && error.status === 401)
    return (
      <Suspense>
        <SignInPage />
      </Suspense>
    )
  return (
    <Shell>
      <Suspense fallback={<main className="page" aria-busy />}>
        <Switch>
          <Route path="/" component={NewChatPage} />
          <Route path="/console/threads/:id">{({ id }) => <ThreadPage key={id} id={id} />}</Route>
          <Route path="/console/inbox" component={InboxPage} />
          <Route path="/console/inspect/:id?">{({ id }) => <InspectorPage key={id} runId={id} />}</Route>
          <Route path="/console/agents/:id/*?">
            {({ id, '*': path = '' }) => <AgentPage key={id} agentId={id} path={path} />}
          </Route>
          <Route path="/console/operate" component={OperatePage} />
          <Route path="/console/models" component={ModelsPage} />
          <Route>
            <NotFoundPage />
          </Route>
        </Switch>
      </Suspense>
    </Shell>
  )
}
