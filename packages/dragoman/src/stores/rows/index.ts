export { MAX_PIECE_ENTRIES, packEntries, takePiece, unpackEntries } from './pack-entries.ts'
export {
  FORM,
  toColumns,
  toEntry,
  toRun,
  toState,
  type StoredEntry,
  type StoredRun,
  type StoredState,
} from './rows.ts'
