import { useState, type FormEvent } from 'react'
import { useLocation } from 'wouter'

import { queryClient, useCaller, useIsGuest } from '../api/queries.ts'
import { request, send } from '../api/request.ts'
import { useTranslate } from '../i18n/translate.tsx'
import './sign-in.css'

/** Asks for a token, which the server keeps in a cookie that no script can read, or admits a guest. */
export function SignInPage({ path }: { readonly path: string | undefined }) {
  const { t } = useTranslate()
  const [token, setToken] = useState('')
  const [isClaim, setClaim] = useState(false)
  const isGuest = useIsGuest()
  const { attempt, isPending, problem } = useAttempt(path)
  const signIn = (event: FormEvent): void => {
    event.preventDefault()
    void attempt(async () => {
      await request('/auth/sign-in', { body: { token: token.trim() } })
      if (isGuest && isClaim) await send('/api/v1/guest/claim', { method: 'POST' })
    })
  }
  return (
    <main className="sign-in">
      <form onSubmit={signIn}>
        <h1>{t('signIn.title')}</h1>
        <p className="quiet">{t('signIn.note')}</p>
        <pre className="quiet">dragoman token create --name my-browser</pre>
        <label>
          {t('signIn.token')}
          <input
            className="field"
            type="password"
            autoComplete="current-password"
            value={token}
            onChange={(event) => setToken(event.target.value)}
          />
        </label>
        {isGuest && (
          <label className="sign-in-claim">
            <input type="checkbox" checked={isClaim} onChange={() => setClaim(!isClaim)} />
            {t('guest.claim')}
          </label>
        )}
        {problem !== undefined && (
          <p className="notice error" role="alert">
            {problem}
          </p>
        )}
        <button type="submit" className="button primary" disabled={token.trim() === '' || isPending}>
          {t('signIn.submit')}
        </button>
        <GuestEntry
          isPending={isPending}
          onContinue={() => void attempt(() => send('/auth/guest', { method: 'POST' }))}
        />
      </form>
    </main>
  )
}

/** Runs a way to sign in, and then shows the page: at `path`, or where the user is. */
function useAttempt(path: string | undefined) {
  const [, navigate] = useLocation()
  const [problem, setProblem] = useState<string>()
  const [isPending, setPending] = useState(false)
  const attempt = async (signIn: () => Promise<unknown>): Promise<void> => {
    setPending(true)
    try {
      await signIn()
      await queryClient.resetQueries()
      if (path !== undefined) navigate(path)
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
    } finally {
      setPending(false)
    }
  }
  return { attempt, isPending, problem }
}

type GuestEntryProps = { readonly isPending: boolean; readonly onContinue: () => void }

/** The way in without a token, if the server has one. */
function GuestEntry({ isPending, onContinue }: GuestEntryProps) {
  const { t } = useTranslate()
  const { data: caller } = useCaller()
  if (caller?.valid !== false || caller.guests !== true) return null
  return (
    <section className="sign-in-guest">
      <p className="quiet">{t('guest.note')}</p>
      <button type="button" className="button" disabled={isPending} onClick={onContinue}>
        {t('guest.continue')}
      </button>
    </section>
  )
}
