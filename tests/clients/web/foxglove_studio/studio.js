// The application of Foxglove with one layout, /layout.json, and the sources of data that the test needs.
(async () => {
  const settings = new Map([
    ["colorScheme", "dark"],
    ["telemetry.telemetryEnabled", false],
    ["telemetry.crashReportingEnabled", false],
  ]);
  const appConfiguration = {
    get: (key) => settings.get(key),
    set: async (key, value) => settings.set(key, value),
    addChangeListener() {},
    removeChangeListener() {},
  };

  const baseline = { data: await (await fetch("layout.json")).json(), savedAt: new Date().toISOString() };
  const layouts = new Map([["car", { id: "car", name: "car", permission: "CREATOR_WRITE", baseline }]]);
  localStorage.setItem("studio.profile-data", JSON.stringify({ currentLayoutId: "car" }));
  const layoutStorage = {
    list: async () => [...layouts.values()],
    get: async (_, id) => layouts.get(id),
    put: async (_, layout) => layouts.set(layout.id, layout) && layout,
    delete: async (_, id) => layouts.delete(id),
    importLayouts: async () => {},
  };

  await initI18n();
  const dataSources = [new FoxgloveWebSocketDataSourceFactory(), new RemoteDataSourceFactory()];
  const deepLinks = [location.href];
  const all = { deepLinks, appConfiguration, dataSources, layoutStorage, extensionLoaders: [], enableGlobalCss: true };
  ReactDOM.render(React.createElement(App, all), document.getElementById("root"));
})();
