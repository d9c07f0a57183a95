import { useState, type FormEvent, type ReactNode } from 'react'
import { useLocation } from 'wouter'

import { useCaller, useIsGuest } from '../api/queries.ts'
import { request, send } from '../api/request.ts'
import { resumeSession, setCurrentUser } from '../api/session.ts'
import { useTranslate } from '../i18n/translate.tsx'
import './sign-in.css'

type SignedInUser = { readonly user: string }

type SignInFormProps = {
  /** Where the user goes on: undefined is where they are. */
  readonly path: string | undefined
  /** Where another user than before goes on. */
  readonly pathOfOthers?: string
  readonly children?: ReactNode
}

/** Asks for a token, which the server keeps in a cookie that no script can read, or admits a guest. */
export function SignInForm({ path, pathOfOthers, children }: SignInFormProps) {
  const { t } = useTranslate()
  const [token, setToken] = useState('')
  const [isClaim, setClaim] = useState(false)
  const isGuest = useIsGuest()
  const { attempt, isPending, problem } = useAttempt(path, pathOfOthers)
  const signIn = (event: FormEvent): void => {
    event.preventDefault()
    void attempt(async () => {
      const signedIn = await request<SignedInUser>('/auth/sign-in', { body: { token: token.trim() } })
      if (isGuest && isClaim) await send('/api/v1/guest/claim', { method: 'POST' })
      return signedIn
    })
  }
  return (
    <form className="sign-in-form" onSubmit={signIn}>
      {children}
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
        onContinue={() => void attempt(() => request<SignedInUser>('/auth/guest', { method: 'POST' }))}
      />
    </form>
  )
}

/** Runs a way to sign in, and then shows the page: at `path`, or where the user is. */
function useAttempt(path: string | undefined, pathOfOthers: string | undefined) {
  const [, navigate] = useLocation()
  const [problem, setProblem] = useState<string>()
  const [isPending, setPending] = useState(false)
  const attempt = async (signIn: () => Promise<SignedInUser>): Promise<void> => {
    setPending(true)
    try {
      const { user } = await signIn()
      if (!setCurrentUser(user, pathOfOthers ?? path)) return
      resumeSession()
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
