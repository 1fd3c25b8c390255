package io.penstock.kernel.ir;

import java.lang.classfile.Attributes;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.attribute.StackMapFrameInfo;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.LineNumber;
import java.lang.classfile.instruction.LocalVariable;
import java.lang.classfile.instruction.LookupSwitchInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.classfile.instruction.SwitchCase;
import java.lang.classfile.instruction.TableSwitchInstruction;
import java.lang.classfile.instruction.ThrowInstruction;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The instructions of one method with their lines, the frames at branch targets, and the straight pieces between branches. */
final class MethodBody {
    private final String owner;
    private final String name;
    private final MethodTypeDesc type;
    private final boolean isStatic;
    private final String file;
    private final List<Instruction> instructions = new ArrayList<>();
    private final List<Integer> lines = new ArrayList<>();
    private final Map<Label, Integer> targets = new HashMap<>();
    private final Map<Integer, StackMapFrameInfo> frames = new HashMap<>();
    private final Map<Integer, String> parameterNames = new HashMap<>();
    private final int firstHandledLine;
    private final boolean handlesExceptions;

    private MethodBody(String owner, MethodModel method, CodeModel code, String file) {
        this.owner = owner;
        this.name = method.methodName().stringValue();
        this.type = method.methodTypeSymbol();
        this.isStatic = method.flags().has(AccessFlag.STATIC);
        this.file = file;
        int line = -1;
        for (CodeElement element : code) {
            switch (element) {
                case LabelTarget target -> targets.put(target.label(), instructions.size());
                case LineNumber number -> line = number.line();
                case LocalVariable variable ->
                    parameterNames.putIfAbsent(variable.slot(), variable.name().stringValue());
                case Instruction instruction -> {
                    instructions.add(instruction);
                    lines.add(line);
                }
                default -> {
                    // Other attributes say nothing about what is computed.
                }
            }
        }
        code.findAttribute(Attributes.stackMapTable()).ifPresent(table -> {
            for (StackMapFrameInfo frame : table.entries()) frames.put(index(frame.target()), frame);
        });
        handlesExceptions = !code.exceptionHandlers().isEmpty();
        firstHandledLine = handlesExceptions
                ? lines.get(index(code.exceptionHandlers().getFirst().tryStart()))
                : -1;
    }

    /** The method of a class file; null when the class file or the method is not there, or the method has no code. */
    static @Nullable MethodBody find(ParsedClasses classes, String owner, String name, String descriptor) {
        ClassModel model = classes.of(owner);
        if (model == null) return null;
        for (MethodModel method : model.methods()) {
            if (!method.methodName().equalsString(name) || !method.methodType().equalsString(descriptor)) continue;
            CodeModel code = method.code().orElse(null);
            if (code == null) return null;
            String file = model.findAttribute(Attributes.sourceFile())
                    .map(source -> source.sourceFile().stringValue())
                    .orElse("unknown source");
            return new MethodBody(owner, method, code, file);
        }
        return null;
    }

    int index(Label label) {
        Integer index = targets.get(label);
        if (index == null) throw new IllegalArgumentException("a label of " + display() + " has no place");
        return index;
    }

    /** The first instructions of the pieces that can be reached, in reverse postorder. */
    List<Integer> pieces() {
        TreeSet<Integer> starts = new TreeSet<>();
        starts.add(0);
        starts.addAll(frames.keySet());
        for (int k = 0; k < instructions.size(); k++) {
            if (!leads(instructions.get(k))) continue;
            starts.addAll(after(k));
            if (k + 1 < instructions.size()) starts.add(k + 1);
        }
        List<Integer> order = new ArrayList<>();
        BitSet seen = new BitSet();
        Deque<Deque<Integer>> path = new ArrayDeque<>();
        Deque<Integer> on = new ArrayDeque<>();
        path.push(new ArrayDeque<>(List.of(0)));
        while (!path.isEmpty()) {
            Integer next = path.peek().poll();
            if (next == null) {
                path.pop();
                if (!on.isEmpty()) order.add(on.pop());
            } else if (!seen.get(next)) {
                seen.set(next);
                on.push(next);
                int last = next;
                while (last + 1 < instructions.size() && !starts.contains(last + 1)) last++;
                // The way that falls through is finished last and so comes first, as in the source.
                path.push(new ArrayDeque<>(after(last).reversed()));
            }
        }
        Collections.reverse(order);
        return order;
    }

    /** Whether an instruction says where to go on, if only to the next one. */
    private static boolean leads(Instruction instruction) {
        return switch (instruction) {
            case BranchInstruction _, TableSwitchInstruction _, LookupSwitchInstruction _ -> true;
            case ReturnInstruction _, ThrowInstruction _ -> true;
            default -> false;
        };
    }

    /** Where control can be after an instruction. */
    List<Integer> after(int k) {
        return switch (instructions.get(k)) {
            case BranchInstruction branch -> {
                boolean always = branch.opcode().name().startsWith("GOTO");
                yield always ? List.of(index(branch.target())) : List.of(k + 1, index(branch.target()));
            }
            case TableSwitchInstruction choice -> after(choice.cases(), choice.defaultTarget());
            case LookupSwitchInstruction choice -> after(choice.cases(), choice.defaultTarget());
            case ReturnInstruction _, ThrowInstruction _ -> List.of();
            default -> List.of(k + 1);
        };
    }

    private List<Integer> after(List<SwitchCase> cases, Label otherwise) {
        List<Integer> all = new ArrayList<>();
        for (SwitchCase one : cases) all.add(index(one.target()));
        all.add(index(otherwise));
        return all;
    }

    Instruction instruction(int k) {
        return instructions.get(k);
    }

    int size() {
        return instructions.size();
    }

    @Nullable
    StackMapFrameInfo frame(int k) {
        return frames.get(k);
    }

    MethodTypeDesc type() {
        return type;
    }

    boolean isStatic() {
        return isStatic;
    }

    boolean handlesExceptions() {
        return handlesExceptions;
    }

    int firstHandledLine() {
        return firstHandledLine;
    }

    String parameterName(int slot, String otherwise) {
        return parameterNames.getOrDefault(slot, otherwise);
    }

    /** Class and method as in the source. */
    String display() {
        return owner.substring(owner.lastIndexOf('/') + 1).replace('$', '.') + "." + name;
    }

    /** What tells the method from all others. */
    String identity() {
        return owner + "." + name + type.descriptorString();
    }

    Position position(int k, @Nullable Position caller) {
        return new Position(display(), file, lines.get(k), caller);
    }

    Position positionOfLine(int line, @Nullable Position caller) {
        return new Position(display(), file, line, caller);
    }
}
