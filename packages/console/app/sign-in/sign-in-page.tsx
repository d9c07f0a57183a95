import { useTranslate } from '../i18n/translate.tsx'
import { SignInForm } from './sign-in-form.tsx'

/** The page of a server that wants a token. */
export function SignInPage({ path }: { readonly path: string | undefined }) {
  const { t } = useTranslate()
  return (
    <main className="sign-in">
      <SignInForm path={path}>
        <h1>{t('signIn.title')}</h1>
      </SignInForm>
    </main>
  )
}
