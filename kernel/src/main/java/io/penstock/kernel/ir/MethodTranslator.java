package io.penstock.kernel.ir;

import java.lang.classfile.Instruction;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.classfile.attribute.StackMapFrameInfo;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.LookupSwitchInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.classfile.instruction.SwitchCase;
import java.lang.classfile.instruction.TableSwitchInstruction;
import java.lang.classfile.instruction.ThrowInstruction;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Translates one method, in place of its call.
 *
 * <p>Every branch target of a class file has a frame that gives the types of the local variables and the stack. Each number in
 * it becomes a parameter of the target's block; the simplification removes those that always have one value.
 */
final class MethodTranslator {
    private record Target(Block block, FrameState state) {}

    private final Emission emission;
    private final MethodBody body;
    private final @Nullable Position caller;
    private final Map<Integer, Target> reached = new HashMap<>();
    private final Block exit = new Block();
    private final StraightCode straight;
    private @Nullable Value result;

    MethodTranslator(Emission emission, MethodBody body, @Nullable Position caller) {
        this.emission = emission;
        this.body = body;
        this.caller = caller;
        this.straight = new StraightCode(emission);
    }

    /** Emits the method's code; goes on where it returns. The result is null if it returns nothing. */
    @Nullable
    Value translate(List<Value> arguments) {
        if (body.handlesExceptions()) {
            emission.position(body.positionOfLine(body.firstHandledLine(), caller));
            throw emission.refuse("catches exceptions", "test the condition beforehand");
        }
        FrameState state = new FrameState(slots(arguments));
        int slot = 0;
        for (Value argument : arguments) {
            state.local(slot, argument);
            slot += argument.type() == ValueType.LONG || argument.type() == ValueType.DOUBLE ? 2 : 1;
        }
        ValueType type = FrameState.type(TypeKind.from(body.type().returnType()));
        if (type.isNumber()) {
            result = new Value(Operation.PHI, type, null, List.of(), emission.position());
            exit.mutableParameters().add(result);
        } else if (type == ValueType.REFERENCE) {
            String returned = body.type().returnType().descriptorString();
            RecordShape shape = RecordShape.find(emission.classes(), returned.substring(1, returned.length() - 1));
            if (shape != null) result = shape.parametersOf(exit, emission.position());
        }
        Block entry = new Block();
        emission.jump(entry, List.of());
        reached.put(0, new Target(entry, state));
        // An entry that is also a loop's header has a frame; its block takes parameters as any target does.
        if (body.frame(0) != null) {
            reached.clear();
            emission.block(entry);
            go(0, state);
        }
        for (int start : body.pieces()) piece(start);
        emission.block(exit);
        // Of a method that always throws nothing is used.
        return result == null && type == ValueType.REFERENCE ? emission.text("nothing") : result;
    }

    private void giveBack(FrameState state) {
        Value returned = state.pop();
        if (result != null && (result.operation() == Operation.PHI || result.operation() == Operation.RECORD)) {
            emission.jump(exit, RecordShape.numbersOf(returned));
            return;
        }
        if (result != null && result != returned)
            throw emission.refuse(
                    "calls " + body.display() + ", which returns one array or another",
                    "access each array by its own name, under the condition");
        result = returned;
        emission.jump(exit, List.of());
    }

    private int slots(List<Value> arguments) {
        int slots = 2 * arguments.size();
        for (int k = 0; k < body.size(); k++)
            if (body.instruction(k) instanceof java.lang.classfile.instruction.StoreInstruction store)
                slots = Math.max(slots, store.slot() + 2);
        return slots;
    }

    private void piece(int start) {
        Target target = reached.get(start);
        if (target == null) throw new IllegalStateException("a piece of " + body.display() + " is reached by nothing");
        emission.block(target.block());
        FrameState state = target.state().copy();
        for (int k = start; ; k++) {
            if (k != start && (reached.containsKey(k) || body.frame(k) != null)) {
                go(k, state);
                return;
            }
            emission.position(body.position(k, caller));
            Instruction instruction = body.instruction(k);
            if (ends(instruction, k, state)) return;
            straight.translate(instruction, state);
        }
    }

    /** Translates an instruction that leads elsewhere; false for others. */
    private boolean ends(Instruction instruction, int k, FrameState state) {
        switch (instruction) {
            case ReturnInstruction done -> {
                if (done.typeKind() == TypeKind.VOID) emission.jump(exit, List.of());
                else giveBack(state);
            }
            case ThrowInstruction _ -> straight.fail(state.pop());
            case BranchInstruction branch -> {
                int target = body.index(branch.target());
                if (branch.opcode().name().startsWith("GOTO")) go(target, state);
                else branch(straight.condition(branch.opcode(), state), edge(target, state), edge(k + 1, state));
            }
            case TableSwitchInstruction choice -> choose(choice.cases(), choice.defaultTarget(), state);
            case LookupSwitchInstruction choice -> choose(choice.cases(), choice.defaultTarget(), state);
            default -> {
                return false;
            }
        }
        return true;
    }

    private void branch(StraightCode.Test test, Edge taken, Edge other) {
        emission.block()
                .terminator(new Terminator.Branch(
                        test.condition(), test.negated() ? other : taken, test.negated() ? taken : other));
    }

    /** A switch, as comparisons with one case after another. */
    private void choose(List<SwitchCase> cases, Label otherwise, FrameState state) {
        Value selector = state.pop();
        for (SwitchCase one : cases) {
            Value label = emission.constant(ValueType.INT, one.caseValue());
            Value same = emission.add(Operation.EQ, ValueType.CONDITION, selector, label);
            Block next = new Block();
            Edge taken = edge(body.index(one.target()), state);
            emission.block().terminator(new Terminator.Branch(same, taken, new Edge(next, List.of())));
            emission.block(next);
        }
        go(body.index(otherwise), state);
    }

    private void go(int target, FrameState state) {
        emission.block().terminator(new Terminator.Jump(edge(target, state)));
    }

    private Edge edge(int target, FrameState state) {
        StackMapFrameInfo frame = body.frame(target);
        Target known = reached.get(target);
        if (known == null) {
            Block block = new Block();
            FrameState there =
                    frame == null ? state.copy() : state.atFrame(frame, block, body.position(target, caller));
            known = new Target(block, there);
            reached.put(target, known);
        } else if (!known.state().sameReferences(state)) {
            throw emission.refuse(
                    "lets a variable be one array or another",
                    "access each array by its own name, under the condition");
        }
        return new Edge(known.block(), frame == null ? List.of() : state.arguments(known.state()));
    }
}
