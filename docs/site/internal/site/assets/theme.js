// Runs before anything is drawn: the theme that the reader chose, else the system's.
document.documentElement.dataset.theme = "system";
try {
	document.documentElement.dataset.theme = localStorage.getItem("ttl-theme") || "system";
} catch { /* the reader allows no storage */ }
