// A received invoice whose seller is not the business of the sample data.
import { SPEC } from '#server/eingang/hostile-files.fixture.ts'

export const SENT = { ...SPEC, vatId: 'DE811128135' }
