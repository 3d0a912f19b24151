package dev.elasticjob.definition;

/**
 * What happens when the registry has lost its data, or has gone back to an older copy of it. Either way, the loss is
 * reported until an operator confirms it.
 */
public enum OnDataLoss {
    /** Jobs go on at once, with what the registry has now. */
    CONTINUE,
    /** This instance starts nothing until an operator has confirmed the loss. */
    HOLD
}
