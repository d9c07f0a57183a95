import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Router } from 'wouter'

import { followChanges } from './api/changes.ts'
import { removeOldRecords } from './api/local-records.ts'
import { onChangeElsewhere } from './api/other-tabs.ts'
import { queryClient } from './api/queries.ts'
import { basePath } from './api/server-url.ts'
import { App } from './app.tsx'
import { restoreOutbox } from './chat/outbox.ts'
import { preferredLanguage } from './i18n/languages.ts'
import { activateLanguage, LanguageProvider } from './i18n/translate.tsx'
import { ErrorBoundary } from './ui/error-boundary.tsx'
import { PageFailure } from './ui/page-failure.tsx'
import { reloadOnceForMissingFiles } from './ui/reload-once.ts'
import { applyTheme, storedTheme } from './ui/theme.ts'
import './app.css'

// They are said relative to the address of the page, which changes.
for (const link of document.querySelectorAll('link')) link.setAttribute('href', link.href)
applyTheme(storedTheme())
onChangeElsewhere(() => void queryClient.invalidateQueries())
await activateLanguage(preferredLanguage())

reloadOnceForMissingFiles()
followChanges()
void restoreOutbox()
void removeOldRecords()

const root = document.querySelector('#root')
if (!root) throw new Error('The page has no #root.')
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <LanguageProvider>
        <ErrorBoundary failure={<PageFailure />}>
          <Router base={basePath}>
            <App />
          </Router>
        </ErrorBoundary>
      </LanguageProvider>
    </QueryClientProvider>
  </StrictMode>,
)
