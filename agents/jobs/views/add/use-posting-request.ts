import { usePage } from '../page-context.ts'
import { useAction } from '../use-action.ts'

type SavedPosting = { readonly job: { readonly id: number } }

/** Sends a request that adds a posting, and passes on its id. */
export function usePostingRequest(onAdd: (jobId: number) => void) {
  const { kit } = usePage()
  const { isBusy, error, run } = useAction()
  const add = (path: '/jobs/import' | '/jobs/ingest', body: object): void =>
    void run(async () => {
      const { job } = await kit.request<SavedPosting>(path, { body })
      await kit.refresh('/jobs')
      onAdd(job.id)
    })
  return { isBusy, error, add }
}
