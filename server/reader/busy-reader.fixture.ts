// A reader that never answers and looks at nothing.
import { readerChild } from './reader-child.ts'

await readerChild()
for (;;);
