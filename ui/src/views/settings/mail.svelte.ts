// Setting up mail: an address, a guess about its server, a password, and a real test.

import type { KeepSecret, MailAccount, MailAccountShown, MailGuess, MailSecurity, TestResult } from '../../backend/bindings';
import { refusal } from '../../backend/door';
import { app } from '../../state/app.svelte';
import { errorText } from '../../texts/errors';

export type Test =
  | { kind: 'none' }
  | { kind: 'sending' }
  | { kind: 'done'; result: TestResult; at: number; tookMs: number }
  | { kind: 'failed'; text: string };

export class MailForm {
  address = $state('');
  to = $state('');
  server = $state('');
  port = $state(465);
  security = $state<MailSecurity>('implicit');
  login = $state('');
  password = $state('');
  keep = $state<KeepSecret>('keychain');
  stored = $state.raw<MailAccountShown | null>(null);
  guess = $state.raw<MailGuess | null>(null);
  guessError = $state('');
  test = $state.raw<Test>({ kind: 'none' });
  loaded = $state(false);
  #guessed = '';

  async load(): Promise<void> {
    const account = await app.ask('get_mail', {});
    this.stored = account;
    this.keep = account?.keep_secret ?? (app.about?.has_keychain === false ? 'session' : 'keychain');
    if (account) {
      this.address = this.#guessed = account.from;
      this.to = account.to === account.from ? '' : account.to;
      this.server = account.server;
      this.port = account.port;
      this.security = account.security;
      this.login = account.login;
    }
    this.loaded = true;
  }

  get ready(): boolean {
    return this.address.includes('@') && this.server.trim() !== '' && (this.password !== '' || (this.stored?.has_password ?? false)) && !this.guess?.refuses_passwords;
  }

  async find(): Promise<void> {
    const address = this.address.trim();
    if (address === '' || address === this.#guessed) return;
    this.#guessed = address;
    this.test = { kind: 'none' };
    this.guessError = '';
    try {
      const guess = await app.backend.call('guess_mail', { address });
      if (this.#guessed !== address) return;
      this.guess = guess;
      this.server = guess.server;
      this.port = guess.port;
      this.security = guess.security;
      this.login = guess.login;
    } catch (thrown) {
      this.guess = null;
      this.guessError = errorText(refusal(thrown).body);
    }
  }

  get account(): MailAccount {
    const from = this.address.trim();
    return {
      from, to: this.to.trim() || from, server: this.server.trim(), port: this.port, security: this.security, login: this.login.trim() || from,
      password: this.password === '' ? null : this.password, keep_secret: this.keep,
    };
  }

  /** A real mail; when it is accepted, the account is kept. */
  async send(): Promise<void> {
    if (!this.ready || this.test.kind === 'sending') return;
    this.test = { kind: 'sending' };
    const start = Date.now();
    try {
      const result = await app.backend.call('test_mail', this.account);
      this.test = { kind: 'done', result, at: start, tookMs: Date.now() - start };
      if (result.kind === 'accepted') await this.save();
    } catch (thrown) {
      this.test = { kind: 'failed', text: errorText(refusal(thrown).body) };
    }
  }

  async save(): Promise<boolean> {
    if ((await app.ask('put_mail', this.account)) === null) return false;
    const { password: _secret, ...rest } = this.account;
    this.stored = { ...rest, has_password: true };
    this.password = '';
    return true;
  }

  async forget(): Promise<void> {
    if ((await app.ask('forget_mail', {})) === null) return;
    this.stored = null;
    this.address = this.to = this.server = this.login = this.password = this.#guessed = '';
    this.guess = null;
    this.test = { kind: 'none' };
  }
}
