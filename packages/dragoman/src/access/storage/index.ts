export { createStorage, type Storage, type StorageStatus } from './storage.ts'
export { createStorageMeter, type StorageMeter } from './storage-meter.ts'
export { storageMigrations } from './tables.ts'
