"""The pictures of rt/doc/experiments/mse.md."""

from plotting import COLORS, matplotlib, named, panels, stored


def mse_linear():
    table = stored("mse_figures_2_to_7")
    figure, axes = panels(2, 3, 5.5)
    tunable = ["lms2", "lms3", "lms4", "bathe", "msstc3", "msstc4", "msstc5"]
    higher = ["mssth3", "mssth4", "mssth5", "esdirk32-4l", "esdirk32-5l", "esdirk43-6l"]
    x = "step_per_solve_and_period"
    for row, methods in enumerate((tunable, higher)):
        for column, (y, title) in enumerate((("damping_percent", "amplitude decay, %"),
                                             ("period_error_percent", "period elongation, %"),
                                             ("radius", "spectral radius"))):
            one = axes[3 * row + column]
            for i, method in enumerate(methods):
                for rho, style in (("0", "-"), ("0.6", "--")) if row == 0 else (("0", "-"),):
                    where = {"method": method, "rho_inf": rho}
                    one.plot(table.column(x, **where), table.column(y, **where), style, color=COLORS[i],
                             label=f"{method}" if rho == "0" else None)
            if y == "radius":
                one.set_xscale("log")
            named(one, f"figure {2 + 3 * row + column}", "step / (solves x period)", title)
    return figure


TWO_ORDERS = ["lms2", "ss2", "lms3", "ss3", "lms4", "ss4", "bathe", "msstc3", "msstc4", "msstc5"]
HIGHER_ORDERS = ["mssth3", "mssth4", "mssth5", "esdirk32-4l", "esdirk32-5l", "esdirk43-6l"]
# Parts (a), (b) and (c) of the figures of [MSE]: title, rho_inf, methods.
MSE_PARTS = [("rho_inf 0", "0", TWO_ORDERS), ("rho_inf 0.6", "0.6", TWO_ORDERS), ("higher order", None, HIGHER_ORDERS)]


def rho_of(method, rho):
    """The text of a method's rho_inf in a part of the figures."""
    if method == "ali3p":
        return ""
    return rho if rho is not None else "0" if "mssth" in method else ""


def mse_squeezer():
    table = stored("mse_figures_9_10")
    figure, axes = panels(2, 3, 5.5)
    for column, (title, rho, methods) in enumerate(MSE_PARTS):
        for row, (y, unit) in enumerate((("omega_rad_per_s", "rad/s"), ("balance_J", "J"))):
            one = axes[3 * row + column]
            one.set_prop_cycle(color=matplotlib.colormaps["tab10"].colors)
            for method in methods:
                where = {"method": method, "rho_inf": rho_of(method, rho)}
                one.plot(table.column("t_s", **where), table.column(y, **where), label=method)
            if row == 1 and rho is None:
                one.set_ylim(-0.1, 0.3)
            named(one, f"figure {9 + row}: {title}", "time, s", unit)
    return figure


def flexible_panels(rows):
    """A row of parts (a), (b), (c) for each (figure, table, column, unit); the step of the server is in part (c)."""
    figure, axes = panels(len(rows), 3, 2.6 * len(rows))
    for row, (number, table, y, unit) in enumerate(rows):
        for column, (title, rho, methods) in enumerate(MSE_PARTS):
            one = axes[3 * row + column]
            one.set_prop_cycle(color=matplotlib.colormaps["tab10"].colors)
            for method in methods + (["ali3p"] if rho is None else []):
                where = {"method": method, "rho_inf": rho_of(method, rho)}
                one.plot(table.column("t_s", **where), table.column(y, **where), linewidth=0.6, label=method)
            named(one, f"figure {number}: {title}", "time, s", unit, legend=row == 0)
    return figure


def mse_four_bar():
    coarse, fine = stored("mse_curves_14_15"), stored("mse_curves_16")
    return flexible_panels([(14, coarse, "theta_rad", "rad"), (15, coarse, "omega_rad_per_s", "rad/s"),
                            (16, fine, "omega_rad_per_s", "rad/s")])


def mse_buckling():
    table = stored("mse_curves_18_to_20")
    return flexible_panels([(18, table, "theta_rad", "rad"), (19, table, "omega_rad_per_s", "rad/s"),
                            (20, table, "force_N", "N")])


def mse_shaft():
    table = stored("mse_curves_22_to_24")
    return flexible_panels([(22, table, "u_m", "m"), (23, table, "v_m_per_s", "m/s"), (24, table, "a_m_per_s2", "m/s²")])


def mse_orders():
    second, higher = stored("mse_figures_25a_to_27a"), stored("mse_figures_25b_to_27b")
    figure, axes = panels(2, 3, 6)
    for column, quantity in enumerate("uva"):
        for row, (table, title) in enumerate(((second, "second order"), (higher, "higher order"))):
            one = axes[3 * row + column]
            one.set_prop_cycle(color=matplotlib.colormaps["tab20"].colors)
            for method in table.texts("method"):
                for rho in ("0", "0.6", ""):
                    where = {"method": method, "rho_inf": rho, "until_s": "0.75"}
                    if table.column("u_error", **where):
                        one.loglog(table.column("step_of_solve_s", **where), table.column(f"{quantity}_error", **where),
                                   marker="o", markersize=2, linestyle="--" if rho == "0.6" else "-",
                                   label=f"{method} {rho}".strip())
            named(one, f"figure {25 + column}: {quantity}3, {title}", "step of a solve, s", "relative error",
                  legend=column == 0)
    return figure


PICTURES = (mse_linear, mse_squeezer, mse_four_bar, mse_buckling, mse_shaft, mse_orders)
