import './tokens.css';
import './parts.css';
import './views.css';
import { mount } from 'svelte';
import App from './App.svelte';
import { chooseBackend } from './backend/choose';
import { App as Shared, app } from './state/app.svelte';
import { locale } from './texts/locale.svelte';

document.documentElement.dataset.theme = Shared.themeBefore();
locale.choose(null);

const target = document.getElementById('app');
if (!target) throw new Error('BUG: index.html has no place for the app');
app.start(await chooseBackend());
mount(App, { target });
