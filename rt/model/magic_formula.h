// The coefficients of the Magic Formula that Tactus reads, by their names in tyre property files.
#pragma once

namespace tactus::rt {

// clang-format off
#define TACTUS_MAGIC_FORMULA(X)                                                                     \
  X(PCX1) X(PDX1) X(PDX2) X(PDX3) X(PEX1) X(PEX2) X(PEX3) X(PEX4) X(PKX1) X(PKX2) X(PKX3)           \
  X(PHX1) X(PHX2) X(PVX1) X(PVX2) X(RBX1) X(RBX2) X(RBX3) X(RCX1) X(REX1) X(REX2) X(RHX1)           \
  X(PCY1) X(PDY1) X(PDY2) X(PDY3) X(PEY1) X(PEY2) X(PEY3) X(PEY4) X(PEY5) X(PKY1) X(PKY2) X(PKY3)   \
  X(PKY4) X(PKY5) X(PKY6) X(PKY7) X(PHY1) X(PHY2) X(PVY1) X(PVY2) X(PVY3) X(PVY4)                   \
  X(RBY1) X(RBY2) X(RBY3) X(RBY4) X(RCY1) X(REY1) X(REY2) X(RHY1) X(RHY2)                           \
  X(RVY1) X(RVY2) X(RVY3) X(RVY4) X(RVY5) X(RVY6)                                                   \
  X(QBZ1) X(QBZ2) X(QBZ3) X(QBZ5) X(QBZ6) X(QBZ9) X(QBZ10) X(QCZ1) X(QDZ1) X(QDZ2) X(QDZ3) X(QDZ4)  \
  X(QDZ6) X(QDZ7) X(QDZ8) X(QDZ9) X(QEZ1) X(QEZ2) X(QEZ3) X(QEZ4) X(QEZ5)                           \
  X(QHZ1) X(QHZ2) X(QHZ3) X(QHZ4) X(SSZ1) X(SSZ2) X(SSZ3) X(SSZ4) X(PHY3) X(QBZ4) X(QDZ10) X(QDZ11)
// clang-format on

/// The two forms of the formula: of MF-Tyre 6.x, and of MF-Tyre 5.2 and PAC2002, which counts angles in radians where
/// the other has tangent and sine, and has a shift of its own for the camber (PHY3, QBZ4).
enum class MagicFormulaForm { k6, k5 };

/// All without dimension: loads count as multiples of the nominal load.
struct MagicFormula {
#define TACTUS_COEFFICIENT(name) double name = 0;
  TACTUS_MAGIC_FORMULA(TACTUS_COEFFICIENT)
#undef TACTUS_COEFFICIENT

  bool operator==(const MagicFormula&) const = default;
};

/// A coefficient by its name, as a member.
struct MagicFormulaName {
  const char* name;
  double MagicFormula::*member;
};

inline constexpr MagicFormulaName kMagicFormulaNames[] = {
#define TACTUS_COEFFICIENT(name) {#name, &MagicFormula::name},
    TACTUS_MAGIC_FORMULA(TACTUS_COEFFICIENT)
#undef TACTUS_COEFFICIENT
};

#undef TACTUS_MAGIC_FORMULA

}  // namespace tactus::rt
