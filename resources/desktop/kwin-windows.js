// Tells Biny Desktop which windows there are, lowest first, whenever that changes. Loaded into KWin (Plasma 5 and 6)
// while Biny records, taken out again afterwards. Sends to Biny's own name on the session bus and nowhere else.

const plasma6 = workspace.windowList !== undefined;

function rectangle(area) {
    return { x: area.x, y: area.y, width: area.width, height: area.height };
}

function onCurrentDesktop(window) {
    if (plasma6) {
        return window.onAllDesktops || window.desktops.some((desktop) => desktop.id === workspace.currentDesktop.id);
    }
    return window.onAllDesktops || window.desktop === workspace.currentDesktop;
}

function onCurrentActivity(window) {
    const activities = window.activities || [];
    return activities.length === 0 || activities.indexOf(workspace.currentActivity) !== -1;
}

function described(window) {
    return {
        id: String(window.internalId),
        app: String(window.desktopFileName || window.resourceClass || window.resourceName || ""),
        class: String(window.resourceClass || ""),
        title: String(window.caption || ""),
        pid: window.pid,
        rect: rectangle(window.frameGeometry),
        dialog: Boolean(window.dialog || window.modal),
        // Docks, notifications and the desktop itself may be see-through and must not count as cover.
        seen: !window.minimized && !window.hidden && !window.specialWindow && onCurrentDesktop(window)
            && onCurrentActivity(window),
    };
}

function screens() {
    const found = [];
    for (const screen of workspace.screens || []) {
        const told = { name: String(screen.name), rect: rectangle(screen.geometry), scale: screen.devicePixelRatio };
        try {
            told.work = rectangle(workspace.clientArea(KWin.MaximizeArea, screen, workspace.currentDesktop));
        } catch (error) {
            // Plasma 5 counts screens by number there; the work area stays unknown.
        }
        found.push(told);
    }
    return found;
}

function tell() {
    const active = plasma6 ? workspace.activeWindow : workspace.activeClient;
    const listed = workspace.stackingOrder || (plasma6 ? workspace.windowList() : workspace.clientList());
    const windows = [];
    for (const window of listed) {
        windows.push(described(window));
    }
    callDBus(
        "org.biny_desktop.Windows", "/org/biny_desktop/Windows", "org.biny_desktop.Windows", "Update",
        JSON.stringify({ front: active ? String(active.internalId) : "", windows: windows, screens: screens() })
    );
}

function listen(window) {
    const names = [
        "captionChanged", "frameGeometryChanged", "minimizedChanged", "desktopsChanged", "desktopChanged",
        "activitiesChanged", "windowClassChanged", "desktopFileNameChanged", "fullScreenChanged", "hiddenChanged",
    ];
    for (const name of names) {
        if (window && window[name] && window[name].connect) {
            window[name].connect(tell);
        }
    }
}

function added(window) {
    listen(window);
    tell();
}

function connectAll(names, slot) {
    for (const name of names) {
        if (workspace[name] && workspace[name].connect) {
            workspace[name].connect(slot);
        }
    }
}

connectAll(["windowAdded", "clientAdded"], added);
connectAll(
    [
        "windowActivated", "clientActivated", "windowRemoved", "clientRemoved", "stackingOrderChanged",
        "currentDesktopChanged", "currentActivityChanged", "screensChanged", "virtualScreenGeometryChanged",
    ],
    tell
);
for (const window of plasma6 ? workspace.windowList() : workspace.clientList()) {
    listen(window);
}
tell();
