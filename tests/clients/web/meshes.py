"""A cube with corners at plus and minus 1, as files of each format that models may name."""
import base64
import json
import struct

CORNERS = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
TRIANGLES = [(0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1), (2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4),
             (1, 5, 7), (1, 7, 3)]


def stl():
    facets = (struct.pack("<12fH", 0, 0, 0, *CORNERS[a], *CORNERS[b], *CORNERS[c], 0) for a, b, c in TRIANGLES)
    return bytes(80) + struct.pack("<I", len(TRIANGLES)) + b"".join(facets)


def obj():
    lines = ["v %g %g %g" % corner for corner in CORNERS]
    lines += ["f %d %d %d" % tuple(index + 1 for index in triangle) for triangle in TRIANGLES]
    return "\n".join(lines).encode()


def gltf(color, translation=None, scale=None, whole_numbers=False, sheet=False):
    """The JSON and the data of glTF: with a place and a scale of its node, corners as whole numbers, or two sides."""
    pack, number = ("<3hxx", 32767) if whole_numbers else ("<3f", 1)
    positions = b"".join(struct.pack(pack, *(number * part for part in corner)) for corner in CORNERS)
    indices = b"".join(struct.pack("<3H", *triangle) for triangle in TRIANGLES)
    data = positions + indices
    node = {"mesh": 0} | ({"translation": translation} if translation else {}) | ({"scale": scale} if scale else {})
    tree = {
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [node],
        "materials": [{"pbrMetallicRoughness": {"baseColorFactor": [*color, 1]}}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1, "material": 0}]}],
        "buffers": [{"byteLength": len(data)}],
        "bufferViews": [{"buffer": 0, "byteLength": len(positions)},
                        {"buffer": 0, "byteOffset": len(positions), "byteLength": len(indices)}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": len(CORNERS), "type": "VEC3", "min": [-1] * 3,
                       "max": [1] * 3},
                      {"bufferView": 1, "componentType": 5123, "count": 3 * len(TRIANGLES), "type": "SCALAR"}]}
    if whole_numbers:
        tree["accessors"][0] |= {"componentType": 5122, "normalized": True, "min": [-32767] * 3, "max": [32767] * 3}
        tree["bufferViews"][0]["byteStride"] = 8
        tree["extensionsUsed"] = tree["extensionsRequired"] = ["KHR_mesh_quantization"]
    if sheet:
        tree["materials"][0]["doubleSided"] = True
    return tree, data


def glb(color, **how):
    tree, data = gltf(color, **how)
    text = json.dumps(tree).encode()
    text += b" " * (-len(text) % 4)
    data += bytes(-len(data) % 4)
    head = struct.pack("<4sII", b"glTF", 2, 28 + len(text) + len(data))
    return head + struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(data), b"BIN\0") + data


def embedded_gltf(color):
    tree, data = gltf(color)
    tree["buffers"][0]["uri"] = "data:application/octet-stream;base64," + base64.b64encode(data).decode()
    return json.dumps(tree).encode()


def cubes():
    """Content of each file by its name."""
    return {"red.glb": glb([1, 0, 0]), "green.gltf": embedded_gltf([0, 1, 0]), "blue.stl": stl(), "white.obj": obj()}
